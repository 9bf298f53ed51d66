// Elements with text. Titles are other people's text: it becomes a text node and nothing else.

/**
 * An element. `on…` of `properties` are listeners, `data` and `style` objects, all else attributes; false, null and undefined are left out.
 * Strings among `children` become text.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "style") for (const [key, of] of Object.entries(value)) element.style.setProperty(key, of);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Makes `parent` hold `children` and nothing else. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return parent;
}
