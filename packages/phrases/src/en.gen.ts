// Made by `npm run gen` from the folders beside it. Do not edit.
import { en as agents } from './agents/en.ts'
import { en as audit } from './audit/en.ts'
import { en as auth } from './auth/en.ts'
import { en as blobs } from './blobs/en.ts'
import { en as common } from './common/en.ts'
import { en as git } from './git/en.ts'
import { en as images } from './images/en.ts'
import { en as junit } from './junit/en.ts'
import { en as kube } from './kube/en.ts'
import { en as outbound } from './outbound/en.ts'
import { en as pipelines } from './pipelines/en.ts'
import { en as registry } from './registry/en.ts'
import { en as specification } from './specification/en.ts'
import { en as teams } from './teams/en.ts'
import { en as users } from './users/en.ts'
import { en as validators } from './validators/en.ts'

export const en = {
  ...agents,
  ...audit,
  ...auth,
  ...blobs,
  ...common,
  ...git,
  ...images,
  ...junit,
  ...kube,
  ...outbound,
  ...pipelines,
  ...registry,
  ...specification,
  ...teams,
  ...users,
  ...validators,
}
