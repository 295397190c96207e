// How the page looks, for this browser only. Nothing secret is kept here.

const KEYS = { theme: "auto", suits: "four", motion: "on", name: "", pace: "600" };

export function preference(name) {
  try { return localStorage.getItem(`riverboat-${name}`) ?? KEYS[name]; } catch { return KEYS[name]; }
}

export function prefer(name, value) {
  try { localStorage.setItem(`riverboat-${name}`, value); } catch { /* a browser that keeps nothing */ }
  apply();
}

export function apply() {
  const root = document.documentElement;
  for (const name of ["theme", "suits", "motion"]) root.dataset[name] = preference(name);
}

apply();
