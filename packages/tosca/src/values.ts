/** A value of a template before its inputs are known. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value }

export const inputTypes = ['string', 'integer', 'float', 'boolean', 'secret'] as const
export type InputType = (typeof inputTypes)[number]

/** A value that is requested when a template is deployed. */
export interface TemplateInput {
  name: string
  type: InputType
  description: string
  /** Undefined: a value has to be given, unless the input is not required. */
  default: Value | undefined
  required: boolean
  /** If present, the value has to be one of these. */
  values: Value[] | undefined
}

export type InputValue = string | number | boolean

/** Converts an input's value to its type; undefined if it does not fit. The texts of a form are parsed. */
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

/** The function call that a value is: a map whose only key is a function's name. */
export function callIn(value: Value): { name: (typeof functions)[number]; argument: Value } | undefined {
  if (!isMap(value)) return undefined
  const [key, ...more] = Object.keys(value)
  const name = functions.find((one) => one === key)
  return name !== undefined && more.length === 0 ? { name, argument: value[name] ?? null } : undefined
}

export interface Evaluated {
  value: Value
  /** Paths that depend on an input without a value yet. */
  open: PropertyKey[][]
  /** Paths whose value comes from a secret input. */
  secret: PropertyKey[][]
}

/** A value is undefined while the input has none. */
export type Inputs = ReadonlyMap<string, { type: InputType; value: InputValue | undefined }>

const sample: Record<InputType, InputValue> = { string: 'x', secret: 'x', integer: 1, float: 1, boolean: true }

/** Replaces the functions by the inputs' values. An invalid call yields nothing; it was reported before. */
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
