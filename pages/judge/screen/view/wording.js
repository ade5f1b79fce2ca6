// Addresses and times as people read them.

import { t } from "../language/translate.js";

/** "https://www.example.org/a/b?x" as a result page shows it: "example.org › a › b". @param {string | null} url */
export function breadcrumb(url) {
  if (!url) return "";
  let parts;
  try {
    const { hostname, pathname } = new URL(url.includes("://") ? url : `https://${url}`);
    parts = [hostname.replace(/^www\./, ""), ...pathname.split("/").filter(Boolean).map(readable)];
  } catch {
    return url;
  }
  return parts.length > 4 ? [parts[0], "…", ...parts.slice(-2)].join(" › ") : parts.join(" › ");
}

/** @param {string} part */
function readable(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Seconds to a tenth, at least one. @param {number} seconds */
export function tenths(seconds) {
  return Math.max(0.1, Math.round(seconds * 10) / 10).toLocaleString(t("en-GB"));
}

/** @param {number} seconds */
export function readableTime(seconds) {
  if (seconds < 10) return t("{n} s", { n: tenths(seconds) });
  if (seconds < 60) return t("{n} s", { n: Math.round(seconds) });
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? t("{n} min", { n: minutes }) : t("{hours} h {n} min", { hours: Math.floor(minutes / 60), n: minutes % 60 });
}
