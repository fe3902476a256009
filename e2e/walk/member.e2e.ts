import { stories } from '../story.ts'
import { walk } from './walk.ts'

stories('every screen as a member', (theatre, look) => void walk('member', theatre, look))
