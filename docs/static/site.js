// A table of more than thirty rows gets a field: only rows that have all of its words are shown.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("article table")) {
    const rows = [...table.querySelectorAll("tbody tr")];
    if (rows.length <= 30) continue;
    const field = document.createElement("input");
    field.className = "filter";
    field.type = "search";
    field.placeholder = `Filter ${rows.length} rows`;
    field.setAttribute("aria-label", field.placeholder);
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    (table.closest(".table-wrapper") || table).before(field);
  }
});

// A picture in a frame follows the theme that the reader has chosen: light, dark, or the system's.
document.addEventListener("DOMContentLoaded", () => {
  const tell = (frame) => frame.contentWindow.postMessage({ theme: document.body.dataset.theme }, "*");
  const frames = [...document.querySelectorAll("article iframe")];
  for (const frame of frames) frame.addEventListener("load", () => tell(frame));
  const observer = new MutationObserver(() => frames.forEach(tell));
  observer.observe(document.body, { attributes: true, attributeFilter: ["data-theme"] });
});
