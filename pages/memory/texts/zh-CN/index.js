import audit from './audit.js';
import memories from './memories.js';
import overview from './overview.js';
import people from './people.js';
import policy from './policy.js';
import recalls from './recalls.js';
import review from './review.js';
import shell from './shell.js';
import transfer from './transfer.js';
import tryout from './tryout.js';
import words from './words.js';

export default {
  ...shell,
  ...words,
  ...overview,
  ...memories,
  ...review,
  ...people,
  ...tryout,
  ...recalls,
  ...policy,
  ...transfer,
  ...audit,
};
