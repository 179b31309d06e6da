package snapshot

import appsv1 "k8s.io/api/apps/v1"

func statefulSetUpdate(s *appsv1.StatefulSet) UpdatePolicy {
	u := UpdatePolicy{
		OnDelete: s.Spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType,
		Ordered:  s.Spec.PodManagementPolicy != appsv1.ParallelPodManagement,
		From:     s.Status.CurrentRevision,
	}
	if rolling := s.Spec.UpdateStrategy.RollingUpdate; rolling != nil && rolling.Partition != nil {
		u.Partition = *rolling.Partition
	}
	return u
}
