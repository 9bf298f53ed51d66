const THEMES = ["auto", "light", "dark"];

/** A button that goes round the themes and remembers the choice, where the browser lets it. */
export function themeButton(button) {
  let theme = stored();
  const apply = () => {
    document.documentElement.dataset.theme = theme;
    button.textContent = `Theme: ${theme}`;
  };
  button.addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    try {
      localStorage.setItem("theme", theme);
    } catch {
      // storage is refused: the choice holds for this visit
    }
    apply();
  });
  apply();
}

function stored() {
  try {
    const theme = localStorage.getItem("theme");
    return THEMES.includes(theme) ? theme : "auto";
  } catch {
    return "auto";
  }
}
