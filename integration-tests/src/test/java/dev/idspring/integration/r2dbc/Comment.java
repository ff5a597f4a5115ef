package dev.idspring.integration.r2dbc;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.relational.core.mapping.Embedded;

/**
 * A mutable entity.
 */
class Comment {

	@Id
	@GeneratedId
	long id;

	@Version
	Integer version;

	Long post;

	String text;

	@Embedded.Nullable
	Link link;

	Comment(Long post, String text) {
		this.post = post;
		this.text = text;
	}

	record Link(@GeneratedId("codes") String link) {

	}

}
