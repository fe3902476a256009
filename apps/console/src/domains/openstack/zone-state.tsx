import type { Zone } from '@gantry/contract/openstack/zones'
import { StateBadge } from '../../ui/feedback/state-badge.tsx'

/** Whether the zone is completely written to the cluster. */
export const ZoneState = ({ zone: { state } }: { zone: Zone }) => <StateBadge state={state} />
