// Made by `npm run gen` from the folders beside it. Do not edit.
import { en as common } from './common/en.ts'
import { en as kube } from './kube/en.ts'
import { en as outbound } from './outbound/en.ts'

export const en = {
  ...common,
  ...kube,
  ...outbound,
}
