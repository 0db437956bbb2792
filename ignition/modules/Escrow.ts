import { buildModule } from '@nomicfoundation/ignition-core'

/** The Escrow of one payment token. `admin`, `resolver` and `pauser` are who they are named for. */
export default buildModule('Escrow', (m) => {
  const escrow = m.contract('Escrow', [
    m.getParameter<string>('token'),
    m.getParameter<string>('admin'),
    m.getParameter<string>('resolver'),
    m.getParameter<string>('pauser'),
  ])
  return { escrow }
})
