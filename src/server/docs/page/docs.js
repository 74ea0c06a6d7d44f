const dark = matchMedia("(prefers-color-scheme: dark)");
const followTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followTheme();
dark.addEventListener("change", followTheme);

const plugin = {
  wrapComponents: {
    // Calls go to the host that serves this page, so there is nothing to choose from.
    Servers: () => () => null,
    ServersContainer: () => () => null,
    // A link inside the button that opens the operation could not be reached by its own.
    DeepLink:
      (_original, { React }) =>
      ({ text }) =>
        React.createElement("span", {}, text),
  },
};

// Swagger UI leaves these without a name, or out of reach of the keyboard.
const missing = [
  [".examples-select-element", "aria-label", "Example"],
  [".content-type", "aria-label", "Media type"],
  [".body-param__text", "aria-label", "Request body"],
  [".parameters select", "aria-label", "Value"],
  [".parameters input", "aria-label", "Value"],
  [".microlight", "tabindex", "0"],
];

function complete() {
  for (const [selector, attribute, value] of missing) {
    for (const element of document.querySelectorAll(`#reference ${selector}:not([${attribute}])`)) {
      const name = element.closest("tr")?.dataset.paramName;
      element.setAttribute(attribute, name !== undefined && value === "Value" ? name : value);
    }
  }
}

new MutationObserver(complete).observe(document.querySelector("#reference"), { childList: true, subtree: true });

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [plugin],
  // The default sends the document to another host.
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  showExtensions: true,
  syntaxHighlight: { theme: "obsidian" },
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  // A key stays in the page and is gone with it.
  persistAuthorization: false,
});
