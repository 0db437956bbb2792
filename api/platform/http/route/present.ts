/** Returns an object without its members that are null: what does not apply is absent from an answer (spec 2). */
export function present<Value extends object>(value: Value): { [Name in keyof Value]?: NonNullable<Value[Name]> } {
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members) as { [Name in keyof Value]?: NonNullable<Value[Name]> }
}
