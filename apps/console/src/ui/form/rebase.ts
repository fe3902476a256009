type Fields = Record<string, unknown>
type Named = Fields & { name: string }

/** The same text for equal values, regardless of the order of fields. */
const textOf = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

const same = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b)

/**
 * Rebases an edit of `before` onto `now`, field by field: unchanged fields are as in `now`, others as in the edit.
 * Named items, such as variables and steps, are merged one by one if both changed their list.
 */
export const rebase = <T extends object>(edited: T, before: T, now: T): T => rebaseFields(edited, before, now) as T

const rebaseFields = (edited: object, before: object, now: object): Fields => {
  const [mine, base, theirs] = [edited as Fields, before as Fields, now as Fields]
  const fields = Object.keys({ ...theirs, ...mine }).map((field) => [
    field,
    rebaseValue(mine[field], base[field], theirs[field]),
  ])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Fields
}

function rebaseValue(edited: unknown, before: unknown, now: unknown): unknown {
  if (same(edited, before)) return now
  if (same(now, before)) return edited
  return isNamed(edited) && isNamed(before) && isNamed(now) ? rebaseList(edited, before, now) : edited
}

const isNamed = (value: unknown): value is Named[] =>
  Array.isArray(value) &&
  value.every((one: unknown) => typeof one === 'object' && one !== null && 'name' in one) &&
  new Set((value as Named[]).map(({ name }) => name)).size === value.length

function rebaseList(edited: Named[], before: Named[], now: Named[]): Named[] {
  const of = (list: Named[]) => new Map(list.map((one) => [one.name, one]))
  const [mine, base, theirs] = [of(edited), of(before), of(now)]
  const names = isMoved(edited, before) ? namesOf(edited, now) : namesOf(now, edited)
  return names.flatMap((name) => rebaseThing(mine.get(name), base.get(name), theirs.get(name)) ?? [])
}

/**
 * An item of a list; undefined if it is removed. An item that one side removed while the other changed it stays as in
 * the edit.
 */
function rebaseThing(edited?: Named, before?: Named, now?: Named): Named | undefined {
  if (same(edited, before)) return now
  if (same(now, before) || !edited || !before || !now || edited['type'] !== now['type']) return edited
  return rebaseFields(edited, before, now) as Named
}

/** Whether the common items of both lists are in another order. */
function isMoved(list: Named[], before: Named[]): boolean {
  const common = (one: Named[], other: Named[]) =>
    one.map(({ name }) => name).filter((name) => other.some((each) => each.name === name))
  return !same(common(list, before), common(before, list))
}

/** The names in both, in the first list's order; names of the other list only follow their predecessor there. */
function namesOf(first: Named[], other: Named[]): string[] {
  const names = first.map(({ name }) => name)
  for (const [at, { name }] of other.entries()) {
    const previous = other[at - 1]
    if (!names.includes(name)) names.splice(previous ? names.indexOf(previous.name) + 1 : 0, 0, name)
  }
  return names
}
