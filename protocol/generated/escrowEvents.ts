// Generated from artifacts/contracts/Escrow.sol/Escrow.json.
import { parseAbi } from 'viem'

export const escrowEvents = parseAbi([
  'event DefaultAdminDelayChangeCanceled()',
  'event DefaultAdminDelayChangeScheduled(uint48 newDelay, uint48 effectSchedule)',
  'event DefaultAdminTransferCanceled()',
  'event DefaultAdminTransferScheduled(address indexed newAdmin, uint48 acceptSchedule)',
  'event Funded(bytes32 indexed holdId, bytes32 indexed order, address indexed payer, (bytes32 order, address payee, uint128 amount, address feeRecipient, uint16 feeBps, uint48 fundBy, uint48 expiry) terms, bool adopted)',
  'event Paused(uint48 until)',
  'event Reclaimed(bytes32 indexed holdId, bytes32 indexed order, address indexed payer, uint256 amount)',
  'event Released(bytes32 indexed holdId, bytes32 indexed order, address indexed payer, address[] recipients, uint256[] amounts, uint8 cause)',
  'event RescueAnnounced(address indexed to, uint256 amount, uint48 availableAt)',
  'event RescueCancelled(address indexed to, uint256 amount)',
  'event Rescued(address indexed token, address indexed to, uint256 amount)',
  'event ResolverChangeScheduled(address indexed resolver, uint48 effectiveAt)',
  'event RoleAdminChanged(bytes32 indexed role, bytes32 indexed previousAdminRole, bytes32 indexed newAdminRole)',
  'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
  'event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)',
  'event StrayAnnounced(address indexed from, bytes32 indexed nonce, uint8 action, uint256 amount, uint48 availableAt)',
  'event StrayCancelled(address indexed from, bytes32 indexed nonce)',
  'event StrayReturned(address indexed from, bytes32 indexed nonce, uint256 amount)',
  'event Unpaused()',
  'event Withdrawn(address indexed account, address indexed to, uint256 amount)',
])
