// Small things this device remembers; without storage they last as long as the page.

export function recall(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // Forgotten with the page.
  }
}

/** Keep a <details> open or closed as the assessor left it. */
export function rememberOpen(details, name, otherwise) {
  const kept = recall(name);
  details.open = kept === null ? otherwise : kept === "open";
  details.ontoggle = () => {
    const state = details.open ? "open" : "closed";
    if (recall(name) !== state) remember(name, state);
  };
}

/** Whether something was noted in this tab, also before a reload. */
export function isNoted(name) {
  try {
    return sessionStorage.getItem(name) !== null;
  } catch {
    return false;
  }
}

export function noteHere(name) {
  try {
    sessionStorage.setItem(name, "1");
  } catch {
    // Forgotten with the page.
  }
}
