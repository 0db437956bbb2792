type Document = Record<string, unknown>
interface Operation {
  parameters?: Part[]
  responses: Record<string, Part>
}
type Part = object
interface Parameter {
  name: string
  in: string
  schema: { example?: unknown }
}

/**
 * Moves each parameter and each problem response that several operations share to the components of an
 * OpenAPI document. Changes the given document and returns it.
 */
export function shareParts(document: Document): Document {
  const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
    Object.values(methods),
  )
  const parameters = new Components('parameters', (part) => parameterName(part as Parameter))
  const responses = new Components('responses', (part) => examplesOf(part).join('_').replaceAll('/', '.'))
  for (const { parameters: own = [], responses: answers } of operations) {
    for (const part of own) parameters.count(part)
    for (const part of refusalsIn(answers)) responses.count(part)
  }
  for (const operation of operations) {
    if (operation.parameters) operation.parameters = operation.parameters.map((part) => parameters.refer(part))
    for (const [status, part] of Object.entries(operation.responses)) {
      if (examplesOf(part).length > 0) operation.responses[status] = responses.refer(part)
    }
  }
  Object.assign(document.components as Document, { parameters: parameters.shared, responses: responses.shared })
  return document
}

function refusalsIn(answers: Record<string, Part>): Part[] {
  return Object.values(answers).filter((part) => examplesOf(part).length > 0)
}

/**
 * Returns the name of a shared parameter: `OrderUrnPathParam`, `LimitQueryParam`. Generators make a type of
 * each. The suffix keeps these types apart from those of schemas, whose names may differ only in case.
 */
function parameterName({ name, in: place, schema }: Parameter): string {
  const [, prefix] = (name === 'urn' && /^market:([a-z]+):/.exec(String(schema.example))) || []
  return [prefix ?? '', ...name.split(/[^A-Za-z0-9]+/), place, 'param'].map(capitalised).join('')
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Returns the names of a response's problem examples, and none for any other response. */
function examplesOf(part: Part): string[] {
  const { content } = part as { content?: Record<string, { examples?: object }> }
  return Object.keys(content?.['application/problem+json']?.examples ?? {})
}

/** The shared parts of one kind, identified by their text. */
class Components {
  readonly #section: string
  readonly #nameOf: (part: Part) => string
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  /** The parts that were referred to, by name. */
  readonly shared: Record<string, Part> = {}

  constructor(section: string, nameOf: (part: Part) => string) {
    this.#section = section
    this.#nameOf = nameOf
  }

  count(part: Part): void {
    const text = JSON.stringify(part)
    this.#uses.set(text, (this.#uses.get(text) ?? 0) + 1)
  }

  /** Returns a reference to a part that is used more than once, and any other part unchanged. */
  refer(part: Part): Part {
    const text = JSON.stringify(part)
    if ((this.#uses.get(text) ?? 0) < 2) return part
    const name = this.#names.get(text) ?? this.#newName(part)
    this.#names.set(text, name)
    this.shared[name] = part
    return { $ref: `#/components/${this.#section}/${name}` }
  }

  // Different parts can have the same name: the second becomes <name>2.
  #newName(part: Part): string {
    const name = this.#nameOf(part)
    const taken = [...this.#names.values()].filter((each) => each.replace(/\d+$/, '') === name).length
    return taken === 0 ? name : `${name}${taken + 1}`
  }
}
