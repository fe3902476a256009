import type { ProposalKind } from '@gantry/contract/pipelines/editing/proposals'
import type { Folder } from './tree.ts'

/** What was found in a folder, and how it is built and tested there. Scripts run in the folder, patterns are below it. */
export interface Finding {
  kind: ProposalKind
  folder: string
  because: string[]
  language: string
  /** A build image that fits: a part of its path, such as `node`, and its version, where one is known. */
  image: { path: RegExp; version: string }
  /** Scripts, in their order; those that are absent have nothing to do. */
  install?: string | undefined
  test?: string | undefined
  build?: string | undefined
  /** The command that tests it, as people know it. */
  tests: string
  /** JUnit reports that its tests write. */
  reports?: string | undefined
  /** Coverage reports that its tests write. */
  coverage?: string | undefined
  /** What its build leaves. */
  artifacts?: string | undefined
  /** Builds an image by this Dockerfile of the folder. */
  dockerfile?: string | undefined
  /** Projects of the same family below it are parts of it. */
  whole?: boolean
}

/** Finds one family of projects in a folder. */
export type Finder = (folder: Folder) => Omit<Finding, 'folder'> | undefined

export const reportFolder = 'reports'
export const reportFile = `${reportFolder}/junit.xml`

/** A version as a tag of an image names it: `22`, `3.12`. Empty for what is none. */
export const versionIn = (text: string): string => /^[v=^~> ]*(\d+(?:\.\d+)?)/.exec(text.trim())?.[1] ?? ''

/** In how many parts the tag of an image agrees with a version, as far as both go: `20-alpine` with 20.11 in one. */
export function agreement(version: string, tag: string): number {
  const parts = version.split('.')
  const ofTag = /^v?(\d+(?:\.\d+)*)/.exec(tag)?.[1]?.split('.') ?? []
  const common = Math.min(parts.length, ofTag.length)
  return parts.slice(0, common).every((part, at) => part === ofTag[at]) ? common : 0
}
