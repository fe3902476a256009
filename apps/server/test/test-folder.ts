import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** A folder of its own, in that of the run, which goes when all is done. */
export const testFolder = (name: string): string => mkdtempSync(join(inject('folder'), `${name}-`))
