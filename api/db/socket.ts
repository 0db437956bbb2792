import { Socket } from 'node:net'

/**
 * A socket for a pipelined connection: what is said to Postgres in one turn of the process is one write. Each statement's
 * own would be a call of the kernel and wake the other side, which is most of what a statement costs.
 */
export class TurnSocket extends Socket {
  #isHeld = false

  // pg corks around each statement (its lib/query.js).
  override cork(): void {
    super.cork()
    if (this.#isHeld) return
    this.#isHeld = true
    super.cork()
    process.nextTick(() => {
      this.#isHeld = false
      this.uncork()
    })
  }
}
