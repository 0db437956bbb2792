import { argv } from 'node:process'
import type { Trial } from '../../changed/run.ts'
import { judgeRoom } from '../typescript/stryker.ts'

// A process of its own, because Stryker cannot be stopped. It sends what became of each mistake (SURVIVORS).

const { name, room, every } = JSON.parse(argv[2] ?? '') as Trial
await judgeRoom(name, room, { files: [], every })
process.disconnect()
