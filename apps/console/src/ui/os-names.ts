import type { OsType } from '@gantry/contract/pipelines/definition'

/** Operating systems by their names, the same in every language. */
export const osNames: Record<OsType, string> = { linux: 'Linux', windows: 'Windows', darwin: 'macOS' }
