// Addresses, times and counts as people read them.

/** "https://www.example.org/a/b?x" as a result page shows it: "example.org › a › b". */
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

function readable(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function readableTime(seconds) {
  if (seconds < 10) return `${Math.max(0.1, Math.round(seconds * 10) / 10)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}
