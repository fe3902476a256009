/** A value of a template before its inputs are known. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value }

export const inputTypes = ['string', 'integer', 'float', 'boolean', 'secret'] as const
export type InputType = (typeof inputTypes)[number]

/** What is asked for when a template is deployed. */
export interface TemplateInput {
  name: string
  type: InputType
  description: string
  /** Undefined: somebody has to give one, unless it is not required. */
  default: Value | undefined
  required: boolean
  /** One of these, where there are any. */
  values: Value[] | undefined
}

export type InputValue = string | number | boolean

/** An input's value as its type has it; undefined where it has another type. Texts of a form are read. */
export function valueAs(type: InputType, given: unknown): InputValue | undefined {
  switch (type) {
    case 'string':
    case 'secret':
      return typeof given === 'string' ? given : typeof given === 'number' ? String(given) : undefined
    case 'boolean':
      return typeof given === 'boolean' ? given : given === 'true' ? true : given === 'false' ? false : undefined
    case 'integer':
    case 'float': {
      const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
      if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
      return type === 'float' || Number.isSafeInteger(value) ? value : undefined
    }
  }
}

/** The functions of TOSCA that a template may use. */
export const functions = ['get_input', 'concat'] as const

const isMap = (value: Value): value is { [key: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A map of one key that is a function's name. */
export function callIn(value: Value): { name: (typeof functions)[number]; argument: Value } | undefined {
  if (!isMap(value)) return undefined
  const [key, ...more] = Object.keys(value)
  const name = functions.find((one) => one === key)
  return name !== undefined && more.length === 0 ? { name, argument: value[name] ?? null } : undefined
}

export interface Evaluated {
  value: Value
  /** Places that depend on an input which has no value yet. */
  open: PropertyKey[][]
  /** Places whose value comes from a secret input. */
  secret: PropertyKey[][]
}

/** Undefined: the input has no value yet. */
export type Inputs = ReadonlyMap<string, { type: InputType; value: InputValue | undefined }>

const sample: Record<InputType, InputValue> = { string: 'x', secret: 'x', integer: 1, float: 1, boolean: true }

/** Puts the inputs' values in the place of the functions. A wrong call was told before, and yields nothing. */
export function evaluate(given: Value, inputs: Inputs): Evaluated {
  const open: PropertyKey[][] = []
  const secret: PropertyKey[][] = []
  const at = (value: Value, path: PropertyKey[]): Value => {
    const call = callIn(value)
    if (call?.name === 'get_input') {
      const input = inputs.get(String(call.argument))
      if (!input) return null
      if (input.type === 'secret') secret.push(path)
      if (input.value === undefined) open.push(path)
      return input.value ?? sample[input.type]
    }
    if (call) {
      const parts = Array.isArray(call.argument) ? call.argument : []
      return parts.map((part) => String(at(part, path) ?? '')).join('')
    }
    if (Array.isArray(value)) return value.map((one, index) => at(one, [...path, index]))
    if (isMap(value))
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, at(one, [...path, key])]))
    return value
  }
  return { value: at(given, []), open, secret }
}
