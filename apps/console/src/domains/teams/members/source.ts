import type { Member } from '@gantry/contract/teams/teams'
import { t } from '../../../api/language.ts'

/** Where a membership comes from that nobody made here: `LDAP:1` is a directory, everything else a provider. */
export const sourceOf = ({ grantedBy }: Pick<Member, 'grantedBy'>): string =>
  t(grantedBy.startsWith('LDAP:') ? 'teams-ui-source-directory' : 'teams-ui-source-provider')
