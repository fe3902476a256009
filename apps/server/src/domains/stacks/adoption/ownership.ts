import { fieldManager, type KubeObject, type Meta } from '../../../adapters/kube/objects.ts'

type Entry = NonNullable<Meta['managedFields']>[number]
type Tree = Readonly<Record<string, unknown>>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

const both = (one: Tree, other: Tree): Tree => {
  const all: Record<string, unknown> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const known = all[key]
    all[key] = isTree(known) && isTree(value) ? both(known, value) : value
  }
  return all
}

/** Without annotations, where other tools keep data of their own. */
function withoutNotes(fields: Tree): Tree {
  const { 'f:metadata': meta, ...rest } = fields
  const labels = isTree(meta) ? meta['f:labels'] : undefined
  return labels === undefined ? rest : { ...rest, 'f:metadata': { 'f:labels': labels } }
}

/** Whether an entry is of a user or a user's tool; the cluster's own controllers keep their fields. */
const isPeoples = ({ manager, subresource, fieldsV1 }: Entry): boolean =>
  isTree(fieldsV1) && (subresource === 'scale' || (subresource === undefined && manager !== 'kube-controller-manager'))

/**
 * The field managers of an object after the product has taken over the fields of users, so that server-side apply
 * removes fields that a document no longer has. Undefined if the product already manages all of them.
 */
export function heldByUs({ apiVersion, metadata }: KubeObject): Entry[] | undefined {
  const entries = metadata?.managedFields ?? []
  const given = entries.filter((one) => isPeoples(one) && one.apiVersion === apiVersion)
  const isOurs = given.every(({ manager, operation }) => manager === fieldManager && operation === 'Apply')
  if (given.length === 0 || isOurs) return undefined
  const fieldsV1 = given.map(({ fieldsV1: fields }) => withoutNotes(fields as Tree)).reduce(both, {})
  return [
    { manager: fieldManager, operation: 'Apply', apiVersion, fieldsType: 'FieldsV1', fieldsV1 } as Entry,
    ...entries.filter((one) => !given.includes(one)),
  ]
}
