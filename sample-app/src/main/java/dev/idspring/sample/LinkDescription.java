package dev.idspring.sample;

import dev.idspring.IdDescription;
import dev.idspring.sample.LinkRepository.StoredLink;
import org.jspecify.annotations.Nullable;

/**
 * What a key says about itself, and where it leads if it is in use. The number is a
 * string, since JavaScript cannot hold all longs.
 *
 * @param key the text form of the id
 * @param number the numeric form of the id
 * @param ordinal the place of the key in the order in which keys are handed out
 * @param reserved whether the key may have been handed out
 * @param url where it leads, {@code null} if no link has this key
 * @param clicks how often it was followed
 */
record LinkDescription(String key, String number, @Nullable Long ordinal, @Nullable Boolean reserved,
		@Nullable String url, long clicks) {

	static LinkDescription of(IdDescription id, @Nullable StoredLink link) {
		return new LinkDescription(id.text(), Long.toString(id.id()), id.ordinal(), id.reserved(),
				(link != null) ? link.url() : null, (link != null) ? link.clicks() : 0);
	}

}
