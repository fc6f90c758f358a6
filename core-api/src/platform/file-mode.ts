/** Mode bit of a folder whose new files get the folder's group. Core and edge share it if they run as two users. */
export const SET_GROUP_ID = 0o2000;
