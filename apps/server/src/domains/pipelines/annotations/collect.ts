import { textsOf } from '../logs/log-blob/lines.ts'
import { keptAnnotations } from './annotations.store.ts'
import { annotationScanner, type Found, placeOfFailure } from './lines.ts'

/** Collects the annotations of a log while it is read in whole lines; `list` is complete once the source has ended. */
export function annotationsOf(source: AsyncIterable<Buffer>) {
  const list: (Found & { logLine: number })[] = []
  async function* read(): AsyncGenerator<Buffer> {
    const scan = annotationScanner()
    let line = 0
    for await (const lines of source) {
      for (const text of textsOf(lines)) {
        const found = list.length < keptAnnotations ? scan(text) : undefined
        if (found) list.push({ ...found, logLine: line })
        line += 1
      }
      yield lines
    }
  }
  return { list, read: read() }
}

interface Case {
  suite: string
  name: string
  state: string
  message: string
}

/** The places named by the messages of failed tests. */
export const annotationsOfTests = (cases: readonly Case[]): (Found & { logLine: null })[] =>
  cases
    .filter(({ state }) => state === 'failed' || state === 'error')
    .slice(0, keptAnnotations)
    .flatMap(({ suite, name, message }) => {
      const found = placeOfFailure([suite, name].filter((part) => part !== '').join(' '), message)
      return found ? [{ ...found, logLine: null }] : []
    })
