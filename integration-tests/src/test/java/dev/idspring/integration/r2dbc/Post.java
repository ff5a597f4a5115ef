package dev.idspring.integration.r2dbc;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;

public record Post(@Id @GeneratedId Long id, @GeneratedId("codes") String code, String author, String title) {

	public Post(String author, String title) {
		this(null, null, author, title);
	}

}
