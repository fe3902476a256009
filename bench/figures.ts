/** Median with minimum and maximum of several runs, in the unit that `format` writes. */
export function figure(name: string, values: number[], format: (value: number) => string, peer = ''): void {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  const row = [
    name.padEnd(64),
    format(at(0.5)).padStart(12),
    format(at(0)).padStart(12),
    format(at(1)).padStart(12),
    peer,
  ]
  console.log(row.join('  ').trimEnd())
}

export const header = (): void =>
  console.log(['figure'.padEnd(64), 'median'.padStart(12), 'min'.padStart(12), 'max'.padStart(12), 'peer'].join('  '))

export const ms = (value: number): string => `${value.toFixed(value < 100 ? 1 : 0)} ms`
export const us = (value: number): string => `${value.toFixed(2)} µs`
export const perSecond = (value: number): string => `${value.toFixed(0)} /s`
export const mb = (value: number): string => `${value.toFixed(0)} MB`

export async function repeat(times: number, run: () => Promise<number>): Promise<number[]> {
  const values: number[] = []
  for (let n = 0; n < times; n++) values.push(await run())
  return values
}

/** Milliseconds that the work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
