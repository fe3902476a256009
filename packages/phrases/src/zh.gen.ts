// Made by `npm run gen` from the folders beside it. Do not edit.
import { zh as common } from './common/zh.ts'
import { zh as kube } from './kube/zh.ts'
import { zh as outbound } from './outbound/zh.ts'

export const zh = {
  ...common,
  ...kube,
  ...outbound,
}
