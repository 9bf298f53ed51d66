const THEMES = ["auto", "light", "dark"];
const button = document.getElementById("theme");
let theme = stored();

function apply() {
  document.documentElement.dataset.theme = theme;
  button.textContent = `Theme: ${theme}`;
}

function stored() {
  try {
    const known = localStorage.getItem("theme");
    return THEMES.includes(known) ? known : "auto";
  } catch {
    return "auto";
  }
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // storage is refused: the choice holds for this page
    }
    apply();
  });
  apply();
}
