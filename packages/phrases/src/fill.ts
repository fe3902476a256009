/** Puts values into a phrase's {placeholders}. One that has no value stays as it is written, so that it is noticed. */
export const fill = (text: string, vars: Record<string, string | number> = {}): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(vars, name) ? String(vars[name]) : whole))
