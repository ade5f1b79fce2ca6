// What stands for each English text in the language of the screen; whoever joins the modules fills it.

/** @type {Record<string, string>} */
export const TEXTS = {};
