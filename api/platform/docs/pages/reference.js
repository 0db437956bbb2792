// Input stays in this page: tokens and answers are sent only to this service.
globalThis.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
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
