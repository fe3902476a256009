import type { OsType } from '@gantry/contract/pipelines/definition'

/** Names of operating systems, the same in every language. */
export const osNames: Record<OsType, string> = { linux: 'Linux', windows: 'Windows', darwin: 'macOS' }
