import { isPhrase, t } from '../../../api/language.ts'
import type { Area, PermissionRow } from './permission-matrix.ts'

/** The text for a key if there is one, otherwise the key. */
const wordsFor = (prefix: string, key: string): string => {
  const phrase = `${prefix}${key}`
  return isPhrase(phrase) ? t(phrase) : key
}

export const areaName = (area: Pick<Area, 'key'>): string => wordsFor('teams-ui-area-', area.key)
export const thingName = (thing: Pick<PermissionRow, 'key'>): string => wordsFor('teams-ui-thing-', thing.key)
export const permissionName = (key: string): string => wordsFor('permission.', key)
