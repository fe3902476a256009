import type { Leaving } from '../users/public.ts'
import { stopBuildsOf } from './builds.service.ts'

export const leaving: Leaving = { end: stopBuildsOf }
