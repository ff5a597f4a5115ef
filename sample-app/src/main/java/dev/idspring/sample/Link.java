package dev.idspring.sample;

/**
 * A link that was shortened.
 *
 * @param id the text form of its id, as in {@code lnk_4Gh7xKq}
 * @param key the same without the prefix, which is what stands in the short link
 * @param url where it leads
 * @param clicks how often it was followed
 */
record Link(String id, String key, String url, long clicks) {

}
