package dev.idspring.integration.r2dbc;

import dev.idspring.annotation.GeneratedId;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.domain.Persistable;

/**
 * An entity that says itself whether it is new.
 */
class Vote implements Persistable<Long> {

	@Id
	@GeneratedId
	private Long id;

	private final int stars;

	@Transient
	private boolean fresh;

	Vote(int stars) {
		this.stars = stars;
	}

	static Vote fresh(Long id, int stars) {
		Vote vote = new Vote(stars);
		vote.id = id;
		vote.fresh = true;
		return vote;
	}

	@Override
	public Long getId() {
		return this.id;
	}

	@Override
	public boolean isNew() {
		return this.fresh;
	}

	int stars() {
		return this.stars;
	}

}
