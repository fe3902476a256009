import { stories } from '../story.ts'
import { walk } from './walk.ts'

stories('every screen as a member', (suite, look) => void walk('member', suite, look))
