// The screen as an app: a service worker shows it without a server, a manifest lets it be installed.

export function becomeApp() {
  navigator.serviceWorker?.register("/worker.js").catch(() => {}); // judging goes on without one
  if (document.querySelector("link[rel=manifest]")) return;
  const link = document.createElement("link");
  [link.rel, link.href] = ["manifest", "/manifest.webmanifest"];
  document.head.append(link);
}
