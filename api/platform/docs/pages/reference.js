// What the reference leaves to be named, as readers hear it: which fields these are, and of what.
const pathOf = (element) => element.closest('.opblock')?.querySelector('.opblock-summary-path')?.dataset.path ?? ''
const NAMES = [
  ['.close-modal', () => 'Close'],
  ['.servers select', () => 'Server'],
  ['.operation-filter-input', () => 'Filter by tag or path'],
  [
    '.parameters select, .parameters input, .parameters textarea',
    (element) => element.closest('tr')?.dataset.paramName,
  ],
  ['.examples-select-element', () => 'Example'],
  ['.body-param select', () => 'Media type of the body'],
  ['select', () => 'Media type'],
  ['textarea, input', () => 'Body of the request'],
  ['.responses-table[role=region]', (element) => `Responses of ${pathOf(element)}`],
]

// And what its parts are.
const ROLES = [
  ['.scheme-container', 'region', 'Server and token'],
  ['.filter-container', 'search', 'Operations'],
  ['.modal-ux', 'dialog', 'Token'],
]

/** Names the fields and regions that have no name, raises headings by one below the page's own, and lets keys scroll examples. */
function complete(root) {
  for (const [selector, nameOf] of NAMES) {
    for (const element of root.querySelectorAll(`:is(${selector}):not([aria-label])`)) {
      element.setAttribute('aria-label', nameOf(element) || 'Value')
    }
  }
  for (const [selector, role, name] of ROLES) {
    for (const part of root.querySelectorAll(`${selector}:not([role])`)) {
      part.role = role
      part.ariaLabel = name
    }
  }
  for (const heading of root.querySelectorAll(':is(h3, h4, h5, h6):not([aria-level])')) {
    heading.setAttribute('aria-level', String(Number(heading.tagName[1]) - 1))
  }
  // Their names are not what is written on them.
  for (const button of root.querySelectorAll('.auth-btn-wrapper [aria-label]')) button.removeAttribute('aria-label')
  for (const example of root.querySelectorAll('pre:not([tabindex])')) example.tabIndex = 0
}

// The path of an operation is plain text: it stands in a button, which opens the operation and writes its address.
let react
const Plain = ({ text }) => react.createElement('span', undefined, text)
const toPlain = () => Plain
const withoutLinks = ({ React }) => {
  react = React
  return { wrapComponents: { DeepLink: toPlain } }
}

const reference = document.getElementById('reference')
let isAwaited = false
new MutationObserver(() => {
  if (isAwaited) return
  isAwaited = true
  requestAnimationFrame(() => {
    isAwaited = false
    complete(reference)
  })
}).observe(reference, { childList: true, subtree: true })

// Input stays in this page: tokens and answers are sent only to this service.
globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  plugins: [withoutLinks],
  tryItOutEnabled: true,
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
  // Its colours are for one background.
  syntaxHighlight: false,
  // The document names the service by its own address. The page may have been opened at another one, as 127.0.0.1 for localhost,
  // and may only ask where it came from.
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.origin)
    return Object.assign(request, { url: new URL(pathname + search, location.origin).href })
  },
})
