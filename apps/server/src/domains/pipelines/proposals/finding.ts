import type { ProposalKind } from '@gantry/contract/pipelines/editing/proposals'
import type { Folder } from './tree.ts'

/** A project in a folder, and how to build and test it. Scripts run in the folder; patterns are relative to it. */
export interface Finding {
  kind: ProposalKind
  folder: string
  because: string[]
  language: string
  /** A fitting build image: a part of its path, such as `node`, and its version, if known. */
  image: { path: RegExp; version: string }
  /** Scripts in the order of their use; absent ones are skipped. */
  install?: string | undefined
  test?: string | undefined
  build?: string | undefined
  /** The test command as users know it. */
  tests: string
  /** JUnit reports that its tests write. */
  reports?: string | undefined
  /** Coverage reports that its tests write. */
  coverage?: string | undefined
  /** The files that its build produces. */
  artifacts?: string | undefined
  /** The folder's Dockerfile from which an image is built. */
  dockerfile?: string | undefined
  /** Whether it includes projects of the same family in folders below it. */
  whole?: boolean
}

/** Finds one family of projects in a folder. */
export type Finder = (folder: Folder) => Omit<Finding, 'folder'> | undefined

export const reportFolder = 'reports'
export const reportFile = `${reportFolder}/junit.xml`

/** The version in a text as an image tag names it: `22`, `3.12`. Empty if there is none. */
export const versionIn = (text: string): string => /^[v=^~> ]*(\d+(?:\.\d+)?)/.exec(text.trim())?.[1] ?? ''

/** In how many leading parts a tag agrees with a version, up to the shorter one: `20-alpine` with 20.11 in one. */
export function agreement(version: string, tag: string): number {
  const parts = version.split('.')
  const ofTag = /^v?(\d+(?:\.\d+)*)/.exec(tag)?.[1]?.split('.') ?? []
  const common = Math.min(parts.length, ofTag.length)
  return parts.slice(0, common).every((part, at) => part === ofTag[at]) ? common : 0
}
