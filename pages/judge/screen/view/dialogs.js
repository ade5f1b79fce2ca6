// The panels over the screen, one at a time, and where the focus goes.

export class Dialogs {
  /** @param {Refs} refs */
  constructor(refs) {
    this.refs = refs;
  }

  /** The panel that is open, if there is one. */
  get open() {
    const { help, guidelines, words, opened } = this.refs;
    return [help, guidelines, words, opened].find((one) => one.open);
  }

  close() {
    this.open?.close();
    this.holdFocus();
  }

  /** @param {HTMLDialogElement} dialog */
  toggle(dialog) {
    const { open } = this;
    this.close();
    if (open !== dialog) dialog.showModal();
  }

  /** A field that has just gone must not take the next key. */
  holdFocus() {
    const { refs } = this;
    const focused = /** @type {Document | ShadowRoot} */ (refs.root.getRootNode()).activeElement;
    if (!focused || !refs.root.contains(focused) || focused.getClientRects().length) return;
    const home = [refs.start, refs.practised, refs.finished, refs.item].find((one) => one.getClientRects().length);
    home?.focus({ preventScroll: true });
  }
}
