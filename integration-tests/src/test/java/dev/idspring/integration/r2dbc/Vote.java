package dev.idspring.integration.r2dbc;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.domain.Persistable;

/**
 * An entity that implements {@link Persistable}.
 */
class Vote implements Persistable<Long> {

	@Id
	@GeneratedId
	private Long id;

	private final int stars;

	@Transient
	private boolean createNew;

	Vote(int stars) {
		this.stars = stars;
	}

	static Vote createNew(Long id, int stars) {
		Vote vote = new Vote(stars);
		vote.id = id;
		vote.createNew = true;
		return vote;
	}

	@Override
	public Long getId() {
		return this.id;
	}

	@Override
	public boolean isNew() {
		return this.createNew;
	}

	int stars() {
		return this.stars;
	}

}
