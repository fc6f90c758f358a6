/** Mode bit of a folder whose new files get its group. Core and edge of different users share such a folder. */
export const SET_GROUP_ID = 0o2000;
