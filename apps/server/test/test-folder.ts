import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

/** A new folder, deleted at the end of the run. */
export const testFolder = (name: string): string => mkdtempSync(join(inject('folder'), `${name}-`))
